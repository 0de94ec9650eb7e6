// Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
//
// A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
// piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
import kotlin.random.Random

/** Turns `bbb/1w1/www` into a map from cells, such as a3, to letters; the top rank comes first. */
fun readBoard(rows: String): Map<String, String> {
    val board = mutableMapOf<String, String>()
    rows.split("/").reversed().forEachIndexed { index, row ->
        var file = 'a'
        for (token in Regex("\\d+|[A-Za-z]").findAll(row).map { it.value }) {
            if (token[0].isDigit()) {
                file += token.toInt()
            } else {
                board["$file${index + 1}"] = token
                file++
            }
        }
    }
    return board
}

fun score(board: Map<String, String>, ply: String): Int {
    val cells = Regex("[a-z]\\d+").findAll(ply).map { it.value }.toList()
    if (cells.isEmpty()) return 0 // pass, swap
    val kind = board[cells.first()] // null: the ply places a new piece, and every piece is company
    val end = cells.last()
    var value = 10 * (ply.count { it in "+-x" } + (if (end in board) 1 else 0))
    for (x in -1..1) {
        for (y in -1..1) {
            val letter = board["${end[0] + x}${end.drop(1).toInt() + y}"]
            if (letter != null && (x != 0 || y != 0)) value += if (kind == null || kind == letter) 1 else -1
        }
    }
    return value
}

fun best(board: Map<String, String>, legal: List<String>, random: Random): String {
    val scores = legal.map { score(board, it) }
    var highest = scores[0]
    for (value in scores) if (value > highest) highest = value
    return legal.filterIndexed { index, _ -> scores[index] == highest }.random(random)
}

fun main() {
    var random = Random(1)
    var board = mapOf<String, String>()
    var legal = listOf<String>()
    while (true) {
        val words = readLine()?.trim()?.split(Regex("\\s+")) ?: break
        when (words[0]) {
            "ugi" -> println("id name KotlinGreedy\nprotocol 1\nplays *\nwant legal board\nugiok")
            "game" -> {
                val seed = words.find { it.startsWith("seed=") } ?: "seed=1"
                random = Random(seed.takeLast(9).filter { it.isDigit() }.toInt())
            }
            "isready" -> println("readyok")
            "board" -> board = readBoard(words[1])
            "legal" -> legal = words.drop(1)
            "go" -> println("bestmove " + best(board, legal, random))
            "quit" -> return
        }
        System.out.flush()
    }
}
