// Plays a random legal ply of any game: it asks the arena for the list of legal plies.
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::mt19937_64 random;
    std::vector<std::string> legal;
    for (std::string line, word; std::getline(std::cin, line); word.clear()) {
        std::istringstream words(line);
        words >> word;
        if (word == "ugi") {
            std::cout << "id name CppRandom\nprotocol 1\nplays *\nwant legal\nugiok" << std::endl;
        } else if (word == "game") {
            random.seed(1);
            while (words >> word) {
                if (word.rfind("seed=", 0) == 0) random.seed(std::stoull(word.substr(5)));
            }
        } else if (word == "isready") {
            std::cout << "readyok" << std::endl;  // endl flushes, "\n" alone does not
        } else if (word == "legal") {
            legal.clear();
            while (words >> word) legal.push_back(word);
        } else if (word == "go") {
            std::cout << "bestmove " << legal.at(random() % legal.size()) << std::endl;
        } else if (word == "quit") {
            break;
        }
    }
}
