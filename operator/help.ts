import { type Command, type Terminal, operatorCommand } from './command.ts'

const usageWidth = 34

export function formatHelp(terminal: Terminal, commands: readonly Command[], [thing]: string[]): string[] {
  const matchingCommands = commands.filter(({ usage }) => usage.split(' ')[0] === thing)
  return [
    `Usage: ${operatorCommand(terminal)} COMMAND`,
    '',
    ...(matchingCommands.length > 0 ? matchingCommands : commands).flatMap(formatCommand),
    '',
    'Options for every command: --as NAME records who acts (default: the name of the system user); --json prints JSON;',
    '--yes skips confirmations; --help shows this help.',
    'The tool connects to Fantail running on this machine with the same DATA_DIR. For another host, set OPERATOR_URL',
    '(https://…), OPERATOR_TOKEN, and OPERATOR_CA for a private CA. There the token decides who acts.',
    'Exit codes: 0 done; 1 refused; 2 not understood; 3 Fantail is not running; 4 outcome not known yet: Fantail keeps working on it.',
  ]
}

function formatCommand({ usage, options, summary: says }: Command): string[] {
  const optionUsages = Object.entries(options ?? {}).map(([name, { type }]) =>
    type === 'string' ? `[--${name} …]` : `[--${name}]`,
  )
  const fullUsage = [usage, ...optionUsages].join(' ')
  return fullUsage.length < usageWidth
    ? [`  ${fullUsage.padEnd(usageWidth)} ${says}`]
    : [`  ${fullUsage}`, `  ${' '.repeat(usageWidth)} ${says}`]
}
