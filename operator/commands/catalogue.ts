import type { CatalogueView, ChangeView, VersionView } from '#app/operator/catalogue.routes.ts'
import { callAndShow, type Command, counted } from '../command.ts'

export const catalogueCommands: Command[] = [
  {
    usage: 'catalogue check',
    says: 'whether the provider’s folder could be taken in as it is now',
    run: (desk) =>
      callAndShow(desk, ['GET', '/catalogue'], ({ products, lengths }: CatalogueView) => [
        `No faults: ${counted(products, 'product', 'products')}, ${counted(lengths, 'length', 'lengths')} to choose.`,
      ]),
  },
  {
    usage: 'catalogue diff',
    says: 'what it would change for customers',
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
    says: 'take it in, now or at a day or time to come (2026-12-01, 2026-12-01T08:30)',
    run: (desk, { options: { at } }) =>
      callAndShow(desk, ['POST', '/catalogue/versions', { json: { at } }], ({ version, changes }: Applied) => [
        ...linesOf(changes),
        `Version ${version.version} ${version.state === 'applied' ? 'is for sale now' : `comes on ${version.from}`}.`,
      ]),
  },
  {
    usage: 'catalogue versions',
    says: 'what was taken in, and what is to come',
    run: (desk) =>
      callAndShow(desk, ['GET', '/catalogue/versions'], (versions: VersionView[]) =>
        versions.map(({ version, state, from, by, made }) => `${version}  ${state}  from ${from}  by ${by}, ${made}`),
      ),
  },
  {
    usage: 'catalogue call-off VERSION',
    look: 'catalogue versions',
    says: 'take back one that is to come',
    run: (desk, { names: [version = ''] }) =>
      callAndShow(desk, ['POST', `/catalogue/versions/${version}/call-off`], () => ['It will not come.']),
  },
]

type Difference = { changes: ChangeView[]; waiting: VersionView[] }
type Applied = { version: VersionView; changes: ChangeView[] }

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
