import { parseSync, Visitor } from 'vite'

/**
 * Every regular expression that a source file writes down.
 * @throws when the source cannot be parsed
 */
export function expressionsOf(path: string, source: string): RegExp[] {
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
 * At the last one the square takes a tenth of a second and what is linear a millisecond; what is worse shows before,
 * and would never end there.
 */
const lengths = [22, 40, 200, 1_000, 10_000]
const tooLong = 20

/** What repeats nothing, or only so often, is as quick as its text is long. */
export const repeats = ({ source }: RegExp): boolean => /[*+]|,\}/.test(source)

/**
 * A text on which an expression takes more than its length should, as the part that it repeats with what stands around it;
 * null when none of a few hundred does. They are made of the characters that the expression itself speaks of.
 */
export function slowTextFor(expression: RegExp): string | null {
  for (const { before, part, after } of textsFor(expression)) {
    for (const length of lengths) {
      const text = before + part.repeat(Math.ceil(length / part.length)) + after
      if (bestOf(3, () => runOver(expression, text)) > tooLong) return JSON.stringify([before, part, after])
    }
  }
  return null
}

/** Looks for one match, and for all. */
function runOver({ source, flags }: RegExp, text: string): void {
  new RegExp(source, flags).exec(text)
  text.replace(new RegExp(source, flags.includes('g') ? flags : `${flags}g`), '')
}

/** Milliseconds of processor time of the quickest try: other programs on the machine do not count. One that is quick is enough. */
function bestOf(tries: number, run: () => void): number {
  let best = Infinity
  // What takes far too long once is not looked at again.
  for (let count = 0; count < tries && best > tooLong && (count === 0 || best < 10 * tooLong); count++) {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

// What is in most classes, and what is in few.
const common = [' ', 'a', '4', '-', '.', '\n', '\u0301']

function* textsFor({ source }: RegExp): Generator<{ before: string; part: string; after: string }> {
  // Escapes are left as the letters they are: `\d` says `d`, and `common` has a digit.
  const letters = [...new Set([...common, ...source.replace(/\\[nrtuxpP]|[\\^$()[\]{}|]/g, '')])].filter((letter) =>
    letter.isWellFormed(),
  )
  const ends = ['', '!', '\0', '\n!']
  for (const part of letters) {
    for (const after of ends) yield { before: '', part, after }
    for (const before of letters.slice(0, 8)) if (before !== part) yield { before, part, after: '\0' }
  }
  for (const first of letters.slice(0, 10)) {
    for (const second of letters.slice(0, 10))
      if (first !== second) yield { before: '', part: first + second, after: '\0' }
  }
}
