import { isUtf8 } from 'node:buffer'

/** Decodes UTF-8, with or without a byte order mark. The fault names the position of the first byte that is not UTF-8. */
export function decodeUtf8(bytes: Buffer): { text: string } | { fault: string } {
  if (isUtf16(bytes)) return { fault: 'line 1: must be UTF-8, not UTF-16.' }
  const text = bytes.toString('utf8')
  if (isUtf8(bytes)) return { text: text.replace(/^\uFEFF/, '') }
  const offset = findInvalidByte(bytes, text)
  const lines = bytes.toString('utf8', 0, offset).split('\n')
  const byte = bytes[offset]?.toString(16).toUpperCase().padStart(2, '0')
  return {
    fault: `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: must be UTF-8, not the byte 0x${byte}.`,
  }
}

/** Whether the bytes begin with UTF-16's byte order mark, or with the two bytes that an ASCII character has in UTF-16. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (first !== undefined && second !== undefined && (first === 0) !== (second === 0))

const replacementCharacter = '\uFFFD'

/** @param text the decoded bytes, with a replacement character in place of each invalid byte */
function findInvalidByte(bytes: Buffer, text: string): number {
  const length = Buffer.byteLength(replacementCharacter)
  let offset = 0
  for (const part of text.split(replacementCharacter)) {
    offset += Buffer.byteLength(part)
    // The file itself may contain the replacement character.
    if (bytes.toString('utf8', offset, offset + length) !== replacementCharacter) break
    if (!isUtf8(bytes.subarray(offset, offset + length))) break
    offset += length
  }
  return offset
}
