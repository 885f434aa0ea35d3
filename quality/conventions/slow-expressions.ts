import { parseSync, Visitor } from 'vite'

/** Returns every regular expression literal in a source file. @throws if the source cannot be parsed */
export function listExpressions(path: string, source: string): RegExp[] {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`)
  const found: RegExp[] = []
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push(new RegExp(node.regex.pattern, node.regex.flags))
    },
  }).visit(program)
  return found
}

/**
 * The lengths of the test strings. On the longest string, a quadratic expression takes a tenth of a second and a linear one a millisecond.
 * An exponential expression, which would never finish the longest string, exceeds the limit on a shorter one.
 */
const textLengths = [22, 40, 200, 1_000, 10_000]
const maxMs = 20

/**
 * Returns whether an expression contains unbounded repetition. If it doesn't, the time to match is proportional to the length of the text.
 */
export const hasRepetition = ({ source }: RegExp): boolean => /[*+]|,\}/.test(source)

/**
 * Looks for a string on which an expression takes too long. Returns the repeated part and the text on either side, or null if none of a few
 * hundred strings is slow. The strings consist of characters that occur in the expression.
 */
export function findSlowText(expression: RegExp): string | null {
  for (const { before, part, after } of textsFor(expression)) {
    for (const length of textLengths) {
      const text = before + part.repeat(Math.ceil(length / part.length)) + after
      if (measureBestTimeMs(3, () => matchAll(expression, text)) > maxMs) return JSON.stringify([before, part, after])
    }
  }
  return null
}

function matchAll({ source, flags }: RegExp, text: string): void {
  new RegExp(source, flags).exec(text)
  text.replace(new RegExp(source, flags.includes('g') ? flags : `${flags}g`), '')
}

/**
 * Returns the fastest attempt's processor time in milliseconds, which is not affected by other programs. Stops after the first attempt
 * within the limit.
 */
function measureBestTimeMs(tries: number, run: () => void): number {
  let best = Infinity
  for (let count = 0; count < tries && best > maxMs && (count === 0 || best < 10 * maxMs); count++) {
    const initialCpuUsage = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(initialCpuUsage)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

const commonCharacters = [' ', 'a', '4', '-', '.', '\n', '\u0301']

function* textsFor({ source }: RegExp): Generator<{ before: string; part: string; after: string }> {
  // An escape sequence contributes only its letter: `\d` becomes `d`. `commonCharacters` includes a digit.
  const characters = [...new Set([...commonCharacters, ...source.replace(/\\[nrtuxpP]|[\\^$()[\]{}|]/g, '')])].filter(
    (letter) => letter.isWellFormed(),
  )
  const ends = ['', '!', '\0', '\n!']
  for (const part of characters) {
    for (const after of ends) yield { before: '', part, after }
    for (const before of characters.slice(0, 8)) if (before !== part) yield { before, part, after: '\0' }
  }
  for (const first of characters.slice(0, 10)) {
    for (const second of characters.slice(0, 10))
      if (first !== second) yield { before: '', part: first + second, after: '\0' }
  }
}
