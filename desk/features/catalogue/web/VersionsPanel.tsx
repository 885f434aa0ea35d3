import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { DeskCatalogue } from '../catalogue.contract.ts'
import { stateTones, stateLabels, timeLabel } from './catalogue.labels.ts'
import * as s from './catalogue.module.css'

const columns = [
  { title: 'Version', isName: true, isShort: true },
  { title: 'State', isShort: true },
  { title: 'From', isShort: true },
  { title: 'Made by' },
  { title: 'Approved by' },
  { title: 'Reason', isExtra: true },
]

export function VersionsPanel({ versions }: Pick<DeskCatalogue, 'versions'>) {
  const { zone } = useBootstrap().market
  const rows = versions.map(({ number, state, from, by, approved_by, why }) => ({
    key: number,
    href: `/catalogue/versions/${number}/`,
    cells: [
      number,
      <TonePill key="state" tone={stateTones[state]}>
        {stateLabels[state]}
      </TonePill>,
      timeLabel(from, zone),
      by,
      approved_by ?? '–',
      why || '–',
    ],
  }))
  return (
    <Panel title="Versions" note="newest first" inset={false}>
      <DataTable caption="Versions" columns={columns} rows={rows} empty="No versions yet." />
    </Panel>
  )
}

export function DraftsPanel({ drafts }: Pick<DeskCatalogue, 'drafts'>) {
  const { zone } = useBootstrap().market
  if (drafts.length === 0) return null
  return (
    <Panel title="Drafts" note="not published">
      <ul className={s.list}>
        {drafts.map(({ number, source, by, made }) => (
          <li key={number}>
            <Link href={`/catalogue/drafts/${number}/`}>Draft {number}</Link>{' '}
            <span className="muted">
              {source}, by {by}, {timeLabel(made, zone)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
