import type { CatalogueView, ChangeView, VersionView } from '#app/operator/catalogue.routes.ts'
import { callAndShow, type Command, counted } from '../command.ts'

export const catalogueCommands: Command[] = [
  {
    usage: 'catalogue check',
    says: 'check the catalogue in the provider’s folder for faults',
    run: (desk) =>
      callAndShow(desk, ['GET', '/catalogue'], ({ products, lengths }: CatalogueView) => [
        `No faults: ${counted(products, 'product', 'products')}, ${counted(lengths, 'plan length', 'plan lengths')}.`,
      ]),
  },
  {
    usage: 'catalogue diff',
    says: 'show what the folder’s catalogue would change for customers',
    run: (desk) =>
      callAndShow(desk, ['GET', '/catalogue/changes'], ({ changes, waiting }: Difference) => [
        ...linesOf(changes),
        ...waiting.map(waitingLine),
      ]),
  },
  {
    usage: 'catalogue apply',
    look: 'catalogue versions',
    options: { at: { type: 'string' } },
    says: 'publish the folder’s catalogue, now or at a later day or time (2026-12-01, 2026-12-01T08:30)',
    run: (desk, { options: { at } }) =>
      callAndShow(desk, ['POST', '/catalogue/versions', { json: { at } }], ({ version, changes }: Applied) => [
        ...linesOf(changes),
        `Version ${version.version} ${version.state === 'applied' ? 'is on sale now' : `goes on sale on ${version.from}`}.`,
      ]),
  },
  {
    usage: 'catalogue versions',
    says: 'list published and scheduled versions',
    run: (desk) =>
      callAndShow(desk, ['GET', '/catalogue/versions'], (versions: VersionView[]) =>
        versions.map(({ version, state, from, by, made }) => `${version}  ${state}  from ${from}  by ${by}, ${made}`),
      ),
  },
  {
    usage: 'catalogue call-off VERSION',
    look: 'catalogue versions',
    says: 'cancel a scheduled version',
    run: (desk, { names: [version = ''] }) =>
      callAndShow(desk, ['POST', `/catalogue/versions/${version}/call-off`], () => [
        'The scheduled version was cancelled.',
      ]),
  },
]

type Difference = { changes: ChangeView[]; waiting: VersionView[] }
type Applied = { version: VersionView; changes: ChangeView[] }

function linesOf(changes: ChangeView[]): string[] {
  if (changes.length === 0) return ['No changes.']
  return changes.flatMap(({ kind, unique_id, title, fields, renewing, told }) => [
    `${kind}  ${[unique_id, title].filter(Boolean).join('  ')}`,
    ...fields.map(({ field, from, to }) => `  ${field}: ${from} → ${to}`),
    ...(renewing > 0
      ? [
          `  ${counted(renewing, 'plan renews', 'plans renew')} with it automatically; ${told} of them were already told a price.`,
        ]
      : []),
  ])
}

const waitingLine = ({ version, from }: VersionView): string =>
  `Version ${version} goes on sale on ${from} and replaces all of this.`
