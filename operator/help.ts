import type { Command } from './command.ts'

const widest = 34

export function helpOf(commands: readonly Command[], [thing]: string[]): string[] {
  const those = commands.filter(({ usage }) => usage.split(' ')[0] === thing)
  return [
    'Usage: npm run operator -- COMMAND',
    '',
    ...(those.length > 0 ? those : commands).flatMap(lineOf),
    '',
    'With each: --as NAME says who acts, which is kept (or the name of the system’s user); --json prints the answers',
    'as they are; --yes asks nothing; --help says this.',
    'It talks to the product that runs on this machine with the same DATA_DIR; to one on another host with OPERATOR_URL',
    '(https://…), OPERATOR_TOKEN, and OPERATOR_CA for a certificate of your own. There the token says who acts.',
    'It ends with 0: done; 1: refused; 2: not understood; 3: no product runs there; 4: not known yet, the product goes on.',
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
