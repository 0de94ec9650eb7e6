// Plays a random legal ply of any game: it asks the arena for the list of legal plies.
import kotlin.random.Random

fun main() {
    var random = Random(1)
    var legal = listOf<String>()
    while (true) {
        val words = readLine()?.trim()?.split(Regex("\\s+")) ?: break
        when (words[0]) {
            "ugi" -> println("id name KotlinRandom\nprotocol 1\nplays *\nwant legal\nugiok")
            "game" -> {
                val seed = words.find { it.startsWith("seed=") } ?: "seed=1"
                random = Random(seed.takeLast(9).filter { it.isDigit() }.toInt())
            }
            "isready" -> println("readyok")
            "legal" -> legal = words.drop(1)
            "go" -> println("bestmove " + legal.random(random))
            "quit" -> return
        }
        System.out.flush()
    }
}
