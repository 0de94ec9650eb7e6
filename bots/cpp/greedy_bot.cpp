// Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.
//
// A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
// piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Cell = std::pair<int, int>;  // file and rank
using Board = std::map<Cell, char>;

// Reads `bbb/1w1/www`: the top rank comes first.
Board read_board(const std::string& rows) {
    Board board;
    int file = 1, rank = 1 + static_cast<int>(std::count(rows.begin(), rows.end(), '/'));
    for (std::size_t i = 0; i < rows.size(); i++) {
        if (rows[i] == '/') {
            rank--;
            file = 1;
        } else if (std::isdigit(static_cast<unsigned char>(rows[i]))) {
            std::size_t length;
            file += std::stoi(rows.substr(i), &length);
            i += length - 1;
        } else {
            board[{file++, rank}] = rows[i];
        }
    }
    return board;
}

int score(const Board& board, const std::string& ply) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i + 1 < ply.size(); i++) {
        if (std::islower(static_cast<unsigned char>(ply[i])) && std::isdigit(static_cast<unsigned char>(ply[i + 1]))) {
            cells.emplace_back(ply[i] - 'a' + 1, std::stoi(ply.substr(i + 1)));
        }
    }
    if (cells.empty()) return 0;  // pass, swap
    auto [file, rank] = cells.back();
    auto is_capture = [](char letter) { return letter == '+' || letter == '-' || letter == 'x'; };
    int value = 10 * static_cast<int>(std::count_if(ply.begin(), ply.end(), is_capture) + board.count(cells.back()));
    auto piece = board.find(cells.front());  // none: the ply places a new piece, and every piece is company
    for (int x = -1; x <= 1; x++) {
        for (int y = -1; y <= 1; y++) {
            auto neighbour = board.find({file + x, rank + y});
            if (neighbour == board.end() || (x == 0 && y == 0)) continue;
            value += piece == board.end() || piece->second == neighbour->second ? 1 : -1;
        }
    }
    return value;
}

int main() {
    std::mt19937_64 random;
    std::vector<std::string> legal;
    Board board;
    for (std::string line, word; std::getline(std::cin, line); word.clear()) {
        std::istringstream words(line);
        words >> word;
        if (word == "ugi") {
            std::cout << "id name CppGreedy\nprotocol 1\nplays *\nwant legal board\nugiok" << std::endl;
        } else if (word == "game") {
            random.seed(1);
            while (words >> word) {
                if (word.rfind("seed=", 0) == 0) random.seed(std::stoull(word.substr(5)));
            }
        } else if (word == "isready") {
            std::cout << "readyok" << std::endl;  // endl flushes, "\n" alone does not
        } else if (word == "board") {
            words >> word;
            board = read_board(word);
        } else if (word == "legal") {
            legal.clear();
            while (words >> word) legal.push_back(word);
        } else if (word == "go") {
            std::shuffle(legal.begin(), legal.end(), random);
            auto is_worse = [&](const auto& a, const auto& b) { return score(board, a) < score(board, b); };
            std::cout << "bestmove " << *std::max_element(legal.begin(), legal.end(), is_worse) << std::endl;
        } else if (word == "quit") {
            break;
        }
    }
}
