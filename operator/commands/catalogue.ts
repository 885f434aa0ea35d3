import type { CatalogueView, ChangeView, VersionView } from '#app/operator/catalogue.routes.ts'
import { type Answer, call } from '../call.ts'
import { type Command, type CommandDesk, counted, exits, printable, refuse, show } from '../command.ts'

export const catalogueCommands: Command[] = [
  { usage: 'catalogue check', says: 'whether the provider’s folder could be taken in as it is now', run: check },
  { usage: 'catalogue diff', says: 'what it would change for customers', run: diff },
  {
    usage: 'catalogue apply',
    look: 'catalogue versions',
    options: { at: { type: 'string' } },
    says: 'take it in, now or at a day or time to come (2026-12-01, 2026-12-01T08:30)',
    run: (desk, { options }) => apply(desk, options['at']),
  },
  { usage: 'catalogue versions', says: 'what was taken in, and what is to come', run: listVersions },
  {
    usage: 'catalogue call-off VERSION',
    look: 'catalogue versions',
    says: 'take back one that is to come',
    run: (desk, { names: [version = ''] }) => callOff(desk, version),
  },
]

async function check(desk: CommandDesk): Promise<number> {
  const answer = await call(desk.caller, 'GET', '/catalogue')
  if (answer.status !== 200) return refuseFolder(desk, answer)
  const { products, lengths } = answer.body as CatalogueView
  return show(desk, answer.body, [
    `No faults: ${counted(products, 'product', 'products')}, ${counted(lengths, 'length', 'lengths')} to choose.`,
  ])
}

async function diff(desk: CommandDesk): Promise<number> {
  const answer = await call(desk.caller, 'GET', '/catalogue/changes')
  if (answer.status !== 200) return refuseFolder(desk, answer)
  const { changes, waiting } = answer.body as { changes: ChangeView[]; waiting: VersionView[] }
  return show(desk, answer.body, [...linesOf(changes), ...waiting.map(waitingLine)])
}

async function apply(desk: CommandDesk, at: string | boolean | undefined): Promise<number> {
  const answer = await call(desk.caller, 'POST', '/catalogue/versions', { json: { at } })
  if (answer.status !== 200) return refuseFolder(desk, answer)
  const { version, changes } = answer.body as { version: VersionView; changes: ChangeView[] }
  const done = version.state === 'applied' ? 'is for sale now' : `comes on ${version.from}`
  return show(desk, answer.body, [...linesOf(changes), `Version ${version.version} ${done}.`])
}

async function listVersions(desk: CommandDesk): Promise<number> {
  const { body } = await call(desk.caller, 'GET', '/catalogue/versions')
  const versions = body as VersionView[]
  return show(
    desk,
    versions,
    versions.map(({ version, state, from, by, made }) => `${version}  ${state}  from ${from}  by ${by}, ${made}`),
  )
}

async function callOff(desk: CommandDesk, version: string): Promise<number> {
  const answer = await call(desk.caller, 'POST', `/catalogue/versions/${version}/call-off`)
  return answer.status === 200 ? show(desk, answer.body, ['It will not come.']) : refuse(desk, answer)
}

function refuseFolder(desk: CommandDesk, answer: Answer): number {
  const { faults = [] } = answer.body as { faults?: string[] }
  for (const fault of faults) desk.complain(printable(fault))
  refuse(desk, answer)
  return exits.refused
}

function linesOf(changes: ChangeView[]): string[] {
  if (changes.length === 0) return ['Nothing changes.']
  return changes.flatMap(({ kind, unique_id, title, fields, renewing, told }) => [
    `${kind}  ${[unique_id, title].filter(Boolean).join('  ')}`,
    ...fields.map(({ field, from, to }) => `  ${field}: ${from} → ${to}`),
    ...(renewing > 0
      ? [
          `  ${counted(renewing, 'plan renews', 'plans renew')} with it by itself; ${told} of them were told its price, which binds.`,
        ]
      : []),
  ])
}

const waitingLine = ({ version, from }: VersionView): string =>
  `Version ${version} comes on ${from}, and takes the place of all of this.`
