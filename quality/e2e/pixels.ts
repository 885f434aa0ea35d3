import { inflateSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { computeContrast, type Rgb } from '#kit/contract/colours.ts'

/** A page's pixels. `x` and `y` are in CSS pixels from the top left corner. */
type Screenshot = { width: number; height: number; at(x: number, y: number): Rgb }

export type Box = { x: number; y: number; width: number; height: number }

export const takeScreenshot = async (page: Page): Promise<Screenshot> =>
  readPng(await page.screenshot({ fullPage: true }))

export const boxOf = (place: Locator): Promise<Box> =>
  place.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + scrollX, y: y + scrollY, width, height }
  })

const readEdgeColours = (picture: Screenshot, { x, y, height }: Box): Rgb[] =>
  Array.from({ length: 11 }, (_, step) => picture.at(Math.round(x) - 4 + step, Math.round(y + height / 2)))

/** Returns the contrast (1 to 21) between the left edge of a box and the background beside it. */
export function computeEdgeContrast(picture: Screenshot, box: Box): number {
  const [ground, ...way] = readEdgeColours(picture, box) as [Rgb, ...Rgb[]]
  return Math.max(...way.map((colour) => computeContrast(colour, ground)))
}

/**
 * Returns the share (0 to 1) of pixels that have a contrast of at least 3:1 between two boxes. The second box may be in a `later`
 * screenshot.
 */
export function computeDifferingShare(picture: Screenshot, one: Box, other: Box, later = picture): number {
  const [width, height] = [Math.floor(Math.min(one.width, other.width)), Math.floor(Math.min(one.height, other.height))]
  const pixel = (from: Screenshot, box: Box, x: number, y: number): Rgb =>
    from.at(Math.round(box.x) + x, Math.round(box.y) + y)
  let told = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      if (computeContrast(pixel(picture, one, x, y), pixel(later, other, x, y)) >= 3) told++
  }
  return told / (width * height)
}

/** Reads a PNG of the kind that browsers write: eight bits per channel, RGB or RGBA, not interlaced. @throws for any other PNG */
function readPng(file: Buffer): Screenshot {
  const [width, height, depth, kind] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24], file[25]]
  const channels = kind === 2 ? 3 : kind === 6 ? 4 : 0
  if (depth !== 8 || channels === 0 || file[28] !== 0)
    throw new Error(`a PNG of another kind: ${depth} bits, kind ${kind}`)
  const parts: Buffer[] = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  }
  const rows = unfilterRows(inflateSync(Buffer.concat(parts)), width * channels, channels)
  return {
    width,
    height,
    at(x, y) {
      if (x < 0 || y < 0 || x >= width || y >= height) throw new Error(`${x}, ${y} is not in the picture`)
      const from = y * width * channels + x * channels
      return [rows[from]!, rows[from + 1]!, rows[from + 2]!]
    },
  }
}

/**
 * Undoes the PNG's filters. A filtered PNG stores each byte as the difference from a prediction, which is based on the neighbours to the
 * left, above, and above left.
 */
function unfilterRows(data: Buffer, length: number, channels: number): Uint8Array {
  const rows = new Uint8Array((data.length / (length + 1)) * length)
  for (let row = 0; row * length < rows.length; row++) {
    const filter = data[row * (length + 1)]
    for (let column = 0; column < length; column++) {
      const to = row * length + column
      const left = column < channels ? 0 : rows[to - channels]!
      const above = row === 0 ? 0 : rows[to - length]!
      const upperLeft = row === 0 || column < channels ? 0 : rows[to - length - channels]!
      const guess =
        filter === 1
          ? left
          : filter === 2
            ? above
            : filter === 3
              ? (left + above) >> 1
              : filter === 4
                ? paeth(left, above, upperLeft)
                : 0
      rows[to] = data[row * (length + 1) + 1 + column]! + guess
    }
  }
  return rows
}

function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ]
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}
