export type Step =
  | { kind: 'commands'; heading: string; line: number; code: string; of: CommandKind }
  | { kind: 'act'; heading: string; line: number; act: string }

/**
 * The kinds of code blocks. An `everywhere` block is run as it is. A `yours` block is a list of `export NAME=value` with example values. An
 * `elsewhere` block needs something that no test machine has: a public host name, a different Debian release, or a report from the gateway.
 */
export type CommandKind = 'everywhere' | 'yours' | 'elsewhere'

const fencePattern = /^```(\S*) ?(\S*)$/
const eventCommentPattern = /^<!-- trial: (.+) -->$/

/** Reads the guide from top to bottom and returns its steps. @throws an error with the line number if a block is of an unknown kind */
export function readGuide(text: string): Step[] {
  const steps: Step[] = []
  let heading = ''
  let open: { line: number; of: CommandKind; code: string[] } | null = null
  for (const [index, written] of text.split('\n').entries()) {
    const line = index + 1
    if (open && written === '```') {
      steps.push({ kind: 'commands', heading, line: open.line, of: open.of, code: `${open.code.join('\n')}\n` })
      open = null
    } else if (open) open.code.push(written)
    else if (written.startsWith('```')) open = { line, of: getCommandKind(written, line), code: [] }
    else if (/^#+ /.test(written)) heading = written.replace(/^#+ /, '')
    else {
      const [, act] = eventCommentPattern.exec(written) ?? []
      if (act) steps.push({ kind: 'act', heading, line, act })
    }
  }
  if (open) throw new Error(`line ${open.line}: the block has no end`)
  return steps
}

function getCommandKind(fence: string, line: number): CommandKind {
  const [, language, word = ''] = fencePattern.exec(fence) ?? []
  if (language === 'sh') {
    if (word === '') return 'everywhere'
    if (word === 'yours' || word === 'elsewhere') return word
  }
  throw new Error(`line ${line}: a block is sh, sh yours or sh elsewhere, not ${JSON.stringify(fence)}`)
}

export function listExports(code: string): { names: string[]; others: string[] } {
  const lines = code.split('\n').filter(Boolean)
  const extractVariableName = (line: string): string | undefined => /^export ([A-Z_]+)=/.exec(line)?.[1]
  return {
    names: lines.flatMap((line) => extractVariableName(line) ?? []),
    others: lines.filter((line) => extractVariableName(line) === undefined),
  }
}

/** Replaces the exported values in a block. Each new value is put in single quotes. @throws if a name has no value */
export function replaceValues(code: string, valueOf: (name: string) => string): string {
  return code.replaceAll(/^export ([A-Z_]+)=.*$/gm, (_line, name: string) => {
    return `export ${name}='${valueOf(name).replaceAll("'", `'\\''`)}'`
  })
}
