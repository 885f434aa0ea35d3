import type { CatalogueView, CatalogueChangeView, VersionView } from '#app/operator/catalogue.routes.ts'
import { requestAndPrint, type Command, pluralize } from '../command.ts'

export const catalogueCommands: Command[] = [
  {
    usage: 'catalogue check',
    summary: 'check the catalogue in the provider’s folder for faults',
    run: (context) =>
      requestAndPrint(context, ['GET', '/catalogue'], ({ products, lengths }: CatalogueView) => [
        `No faults: ${pluralize(products, 'product', 'products')}, ${pluralize(lengths, 'plan length', 'plan lengths')}.`,
      ]),
  },
  {
    usage: 'catalogue diff',
    summary: 'show what the folder’s catalogue would change for customers',
    run: (context) =>
      requestAndPrint(context, ['GET', '/catalogue/changes'], ({ changes, waiting }: CatalogueDiff) => [
        ...formatChanges(changes),
        ...waiting.map(formatScheduledVersion),
      ]),
  },
  {
    usage: 'catalogue apply',
    checkCommand: 'catalogue versions',
    options: { at: { type: 'string' } },
    summary: 'publish the folder’s catalogue, now or at a later day or time (2026-12-01, 2026-12-01T08:30)',
    run: (context, { options: { at } }) =>
      requestAndPrint(
        context,
        ['POST', '/catalogue/versions', { json: { at } }],
        ({ version, changes }: AppliedCatalogue) => [
          ...formatChanges(changes),
          `Version ${version.version} ${version.state === 'applied' ? 'is on sale now' : `goes on sale on ${version.from}`}.`,
        ],
      ),
  },
  {
    usage: 'catalogue versions',
    summary: 'list published and scheduled versions',
    run: (context) =>
      requestAndPrint(context, ['GET', '/catalogue/versions'], (versions: VersionView[]) =>
        versions.map(({ version, state, from, by, made }) => `${version}  ${state}  from ${from}  by ${by}, ${made}`),
      ),
  },
  {
    usage: 'catalogue call-off VERSION',
    checkCommand: 'catalogue versions',
    summary: 'cancel a scheduled version',
    run: (context, { names: [version = ''] }) =>
      requestAndPrint(context, ['POST', `/catalogue/versions/${version}/call-off`], () => [
        'The scheduled version was cancelled.',
      ]),
  },
]

type CatalogueDiff = { changes: CatalogueChangeView[]; waiting: VersionView[] }
type AppliedCatalogue = { version: VersionView; changes: CatalogueChangeView[] }

function formatChanges(changes: CatalogueChangeView[]): string[] {
  if (changes.length === 0) return ['No changes.']
  return changes.flatMap(({ kind, unique_id, title, fields, renewing, told }) => [
    `${kind}  ${[unique_id, title].filter(Boolean).join('  ')}`,
    ...fields.map(({ field, from, to }) => `  ${field}: ${from} → ${to}`),
    ...(renewing > 0
      ? [
          `  ${pluralize(renewing, 'plan renews', 'plans renew')} with it automatically; ${told} of them were already told a price.`,
        ]
      : []),
  ])
}

const formatScheduledVersion = ({ version, from }: VersionView): string =>
  `Version ${version} goes on sale on ${from} and replaces the whole catalogue.`
