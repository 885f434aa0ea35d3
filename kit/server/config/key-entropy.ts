import { dictionary } from '@zxcvbn-ts/language-common'

const dictionaryWords = new Set(
  [...dictionary.diceware, ...dictionary.passwords].filter((word) => /^[a-z]{4,}$/.test(word)),
)
const maxWordLength = 20
const maxKeyLength = 512

/**
 * Returns a conservative estimate of a key's entropy in bits. Words, sequences such as `3456` and repetitions don't count. The estimate is
 * 0 if less than half of the key remains without them.
 */
export function estimateEntropyBits(key: string): number {
  const truncatedKey = key.slice(0, maxKeyLength)
  const lower = truncatedKey.toLowerCase()
  let left = ''
  for (let at = 0; at < truncatedKey.length;) {
    const predictableLength = Math.max(
      getWordLengthAt(lower, at),
      getRunLengthAt(lower, at),
      getRepetitionLengthAt(lower, at),
    )
    if (predictableLength === 0 && /[a-z\d]/.test(lower[at] ?? '')) left += truncatedKey[at]
    at += predictableLength || 1
  }
  return left === '' || left.length * 2 < truncatedKey.length ? 0 : left.length * Math.log2(new Set(left).size)
}

function getWordLengthAt(text: string, at: number): number {
  for (let length = maxWordLength; length >= 4; length--)
    if (dictionaryWords.has(text.slice(at, at + length))) return length
  return 0
}

function getRunLengthAt(text: string, at: number): number {
  const step = text.charCodeAt(at + 1) - text.charCodeAt(at)
  if (!(Math.abs(step) <= 2)) return 0
  let end = at + 1
  while (text.charCodeAt(end) - text.charCodeAt(end - 1) === step) end++
  return end - at >= 4 ? end - at : 0
}

function getRepetitionLengthAt(text: string, at: number): number {
  let length = 4
  if (!text.slice(0, at).includes(text.slice(at, at + length)) || at + length > text.length) return 0
  while (at + length < text.length && text.slice(0, at).includes(text.slice(at, at + length + 1))) length++
  return length
}
