/** The first invalid character of a text part: its index, and how to show it to people. */
type TextFault = { index: number; shown: string }
type TextPart = { text: string; fault: TextFault | null }

const noBytes = new Uint8Array()

/**
 * Decodes a text file as it arrives. The file is in UTF-16 if its first bytes say so, and otherwise in UTF-8. Leaves out the byte order
 * mark. Yields a fault for bytes that are invalid in the encoding, and for control characters other than tabs and line ends.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextPart> {
  let decoder: TextDecoder | null = null
  let isUtf8 = true
  /** In UTF-8, the bytes of a character that has not arrived in full. */
  let partialCharacter: Uint8Array = noBytes
  for await (const chunk of joinFirstBytes(bytes)) {
    let newBytes = chunk
    if (!decoder) {
      const { encoding, markLength } = detectEncoding(chunk)
      isUtf8 = encoding === 'utf-8'
      decoder = new TextDecoder(encoding, { ignoreBOM: true })
      newBytes = chunk.subarray(markLength)
    }
    const text = decoder.decode(newBytes, { stream: true })
    const textBytes = isUtf8 ? joinBytes(partialCharacter, newBytes) : noBytes
    const fault = findFault(text, textBytes)
    yield { text, fault }
    if (fault) return
    partialCharacter = endsInAscii(textBytes) ? noBytes : textBytes.subarray(utf8Length(text))
  }
  const text = decoder?.decode() ?? ''
  if (text !== '') yield { text, fault: findFault(text, partialCharacter) }
}

const markSize = 3

/** Joins the first chunks until there are enough bytes for a byte order mark. */
async function* joinFirstBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | null = noBytes
  for await (const part of bytes) {
    if (!first) yield part
    else {
      first = joinBytes(first, part)
      if (first.length < markSize) continue
      yield first
      first = null
    }
  }
  if (first) yield first
}

/** Detects UTF-16 by its byte order mark, or by the zero byte beside a first character in ASCII. */
function detectEncoding(start: Uint8Array): { encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; markLength: number } {
  const [first, second, third] = start
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', markLength: 3 }
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', markLength: 2 }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', markLength: 2 }
  if (first && second === 0) return { encoding: 'utf-16le', markLength: 0 }
  if (first === 0 && second) return { encoding: 'utf-16be', markLength: 0 }
  return { encoding: 'utf-8', markLength: 0 }
}

/**
 * Matches control characters other than tabs and line ends, and the replacement character, which the decoder writes in place of invalid
 * bytes.
 */
const notText = /[^\P{Cc}\t\n\r]|\ufffd/u

function findFault(text: string, bytes: Uint8Array): TextFault | null {
  const index = text.search(notText)
  if (index === -1) return null
  const code = text.charCodeAt(index)
  if (code !== 0xfffd) return { index, shown: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` }
  const [byte, next] = bytes.subarray(utf8Length(text.slice(0, index)))
  // The file itself may contain the replacement character: EF BF BD in UTF-8.
  const isInvalidByte = byte !== undefined && !(byte === 0xef && next === 0xbf)
  return { index, shown: isInvalidByte ? describeByte(byte) : 'U+FFFD' }
}

/** Shows a byte, and its character in Windows-1252, in which spreadsheet programs often save a CSV file. */
function describeByte(byte: number): string {
  const hex = `byte ${byte.toString(16).toUpperCase()}`
  const character = new TextDecoder('windows-1252').decode(new Uint8Array([byte]))
  return /[\p{C}\p{Z}]/u.test(character) ? hex : `“${character}”, ${hex}`
}

const endsInAscii = (bytes: Uint8Array): boolean => (bytes.at(-1) ?? 0) < 0x80

const encoder = new TextEncoder()
const utf8Length = (text: string): number => encoder.encode(text).length

function joinBytes(start: Uint8Array, end: Uint8Array): Uint8Array {
  if (start.length === 0) return end
  const joined = new Uint8Array(start.length + end.length)
  joined.set(start)
  joined.set(end, start.length)
  return joined
}
