import type { Command } from './command.ts'

const widest = 34

export function helpOf(commands: readonly Command[], [thing]: string[]): string[] {
  const those = commands.filter(({ usage }) => usage.split(' ')[0] === thing)
  return [
    'Usage: npm run operator -- COMMAND',
    '',
    ...(those.length > 0 ? those : commands).flatMap(lineOf),
    '',
    'Options for every command: --as NAME records who acts (default: the name of the system user); --json prints JSON;',
    '--yes skips confirmations; --help shows this help.',
    'The tool connects to the product that runs on this machine with the same DATA_DIR. For another host, set OPERATOR_URL',
    '(https://…), OPERATOR_TOKEN, and OPERATOR_CA for a private CA. There the token decides who acts.',
    'Exit codes: 0 done; 1 refused; 2 not understood; 3 no product runs there; 4 outcome not known yet, the product continues.',
  ]
}

function lineOf({ usage, options, says }: Command): string[] {
  const given = Object.entries(options ?? {}).map(([name, { type }]) =>
    type === 'string' ? `[--${name} …]` : `[--${name}]`,
  )
  const whole = [usage, ...given].join(' ')
  return whole.length < widest
    ? [`  ${whole.padEnd(widest)} ${says}`]
    : [`  ${whole}`, `  ${' '.repeat(widest)} ${says}`]
}
