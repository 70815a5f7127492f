// Turns the demo's results into a picture: png ROWS OUT.png [WIDTH]
// ROWS is what mandelbrot.c's instances returned, row after row: 2 x 2 samples of 16 bits a pixel.
// WIDTH (a divisor of 1024) makes a smaller picture by averaging more samples into each pixel.

#include <png.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kSamples = 2048;  // across and down; these four as in mandelbrot.c
constexpr double kSteps = 48;
constexpr double kCountOffset = 3;  // what its smooth count adds to the number of iterations
constexpr uint16_t kInside = 0xFFFF;

struct Colour {
  double red, green, blue;  // linear light
};

Colour FromBytes(int red, int green, int blue) {
  auto linear = [](int byte) { return std::pow(byte / 255.0, 2.2); };
  return {linear(red), linear(green), linear(blue)};
}

// Around the palette once for every doubling of the escape count, or nearly.
const std::array<Colour, 7> kPalette = {
    FromBytes(9, 12, 44),     FromBytes(16, 66, 122),  FromBytes(72, 167, 190),
    FromBytes(246, 240, 214), FromBytes(242, 164, 60), FromBytes(150, 46, 58),
    FromBytes(46, 14, 54),
};
constexpr double kTurnsPerDoubling = 0.36;
constexpr double kTurnsAtOne = -0.56;  // so that far away is night

Colour ColourOf(uint16_t sample) {
  if (sample == kInside) return {0, 0, 0};
  double count = std::fmax(sample / kSteps - kCountOffset, 0.0);
  double at = kTurnsAtOne + std::log2(count + 1.0) * kTurnsPerDoubling;
  at = (at - std::floor(at)) * kPalette.size();
  size_t from = static_cast<size_t>(at) % kPalette.size();
  double part = at - std::floor(at);
  part = part * part * (3 - 2 * part);
  const Colour& a = kPalette[from];
  const Colour& b = kPalette[(from + 1) % kPalette.size()];
  return {a.red + (b.red - a.red) * part, a.green + (b.green - a.green) * part,
          a.blue + (b.blue - a.blue) * part};
}

uint8_t ToByte(double linear) {
  return static_cast<uint8_t>(std::lround(255.0 * std::pow(linear, 1 / 2.2)));
}

// The mean colour of the samples of each pixel, as bytes red green blue.
std::vector<uint8_t> Paint(const std::vector<char>& rows, int width) {
  auto sample_at = [&](int x, int y) {
    size_t byte = 2 * (static_cast<size_t>(y) * kSamples + x);
    return static_cast<uint16_t>(static_cast<uint8_t>(rows[byte]) |
                                 static_cast<uint8_t>(rows[byte + 1]) << 8);
  };
  int side = kSamples / width;
  std::vector<uint8_t> pixels;
  pixels.reserve(static_cast<size_t>(width) * width * 3);
  for (int y = 0; y < width; ++y) {
    for (int x = 0; x < width; ++x) {
      Colour sum{};
      for (int i = 0; i < side * side; ++i) {
        Colour colour = ColourOf(sample_at(x * side + i % side, y * side + i / side));
        sum.red += colour.red;
        sum.green += colour.green;
        sum.blue += colour.blue;
      }
      for (double part : {sum.red, sum.green, sum.blue}) {
        pixels.push_back(ToByte(part / (side * side)));
      }
    }
  }
  return pixels;
}

int Fail(const std::string& message) {
  std::cerr << "png: " << message << "\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) return Fail("use: png ROWS OUT.png [WIDTH]");
  int width = argc == 4 ? std::atoi(argv[3]) : kSamples / 2;
  if (width < 1 || kSamples % width != 0) {
    return Fail("The width [" + std::string(argv[3]) + "] must divide 2048.");
  }
  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> rows{std::istreambuf_iterator<char>(file), {}};
  size_t expected = size_t{2} * kSamples * kSamples;
  if (rows.size() != expected) {
    return Fail("The file [" + std::string(argv[1]) + "] holds [" + std::to_string(rows.size()) +
                "] bytes; the whole picture has [" + std::to_string(expected) + "].");
  }
  std::vector<uint8_t> pixels = Paint(rows, width);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = image.height = static_cast<uint32_t>(width);
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, argv[2], 0, pixels.data(), 0, nullptr) == 0) {
    return Fail("Writing [" + std::string(argv[2]) + "] failed: " + image.message + ".");
  }
  return 0;
}
