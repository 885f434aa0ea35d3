import { decodeText } from './decode-text.ts'

/** A line of a CSV file, numbered from 1. `text` is `null` if the line is longer than the limit. */
export type CsvLine = { line: number; text: string | null }

type Options = {
  /** Maximum characters per line. The content of a longer line is not kept in memory. */
  maxLineLength: number
  /** Creates the error for bytes that are not text. */
  createError: (message: string) => Error
}

/**
 * Reads the lines of a CSV file as they arrive, and skips blank lines. A line ends with LF, CRLF or CR. Yields the lines of each chunk
 * together.
 * @throws the error that `createError` returns, with the line and the character, for bytes that are not text
 */
export async function* readCsvLines(
  bytes: AsyncIterable<Uint8Array>,
  { maxLineLength, createError }: Options,
): AsyncGenerator<CsvLine[]> {
  const splitter = createLineSplitter(maxLineLength)
  for await (const { text, fault } of decodeText(bytes)) {
    if (fault) {
      const { line, character } = splitter.locate(text.slice(0, fault.index))
      const position = `Line ${line}, character ${character}`
      throw createError(
        `${position} (${fault.shown}) is not valid UTF-8 text. Save the file as CSV in UTF-8 and try again.`,
      )
    }
    const lines = splitter.split(text)
    if (lines.length > 0) yield lines
  }
  const lastLines = splitter.end()
  if (lastLines.length > 0) yield lastLines
}

const lineEnd = /\r\n?|\n/

function createLineSplitter(maxLineLength: number) {
  let lineCount = 0
  let partialLine = ''
  /** Length of the incomplete line read so far, if it is too long to be kept; 0 otherwise. */
  let droppedLength = 0

  function completeLine(text: string): CsvLine {
    const isTooLong = droppedLength + text.length > maxLineLength
    droppedLength = 0
    lineCount += 1
    return { line: lineCount, text: isTooLong ? null : text }
  }
  const completeLines = (texts: string[]): CsvLine[] =>
    texts.map(completeLine).filter(({ text }) => text?.trim() !== '')

  return {
    split(text: string): CsvLine[] {
      const whole = partialLine + text
      // A CR at the end of a chunk may be the first half of a CRLF.
      const heldBack = whole.endsWith('\r') ? '\r' : ''
      const texts = whole.slice(0, whole.length - heldBack.length).split(lineEnd)
      const rest = texts.pop() ?? ''
      const lines = completeLines(texts)
      const isKept = droppedLength + rest.length <= maxLineLength
      if (!isKept) droppedLength += rest.length
      partialLine = (isKept ? rest : '') + heldBack
      return lines
    },
    end: (): CsvLine[] => completeLines([partialLine.replace(/\r$/, '')]),
    /** Returns the position of the character that follows `text`, the next part of the file. */
    locate(text: string): { line: number; character: number } {
      const texts = (partialLine + text).split(lineEnd)
      const lengthBefore = (texts.length === 1 ? droppedLength : 0) + [...(texts.at(-1) ?? '')].length
      return { line: lineCount + texts.length, character: lengthBefore + 1 }
    },
  }
}
