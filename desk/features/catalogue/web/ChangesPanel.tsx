import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import type { DeskChange } from '../catalogue.contract.ts'
import { changeTypeTones, changeTypeLabels, renewalLabel } from './catalogue.labels.ts'
import * as s from './catalogue.module.css'

const columns = [
  { title: 'Product', isName: true },
  { title: 'State', isShort: true },
  { title: 'Changes' },
  { title: 'Auto-renewals', isFigure: true },
  { title: 'Customers told the price', isFigure: true },
]

export function ChangesPanel({ changes, note }: { changes: DeskChange[]; note: string }) {
  const rows = changes.map((change) => ({
    key: change.unique_id ?? 'lengths',
    cells: [
      <ProductName key="name" title={change.title} id={change.unique_id} />,
      <TonePill key="kind" tone={changeTypeTones[change.kind]}>
        {changeTypeLabels[change.kind]}
      </TonePill>,
      <ChangedFields key="fields" fields={change.fields} />,
      renewalLabel(change),
      change.after.told > 0 ? change.after.told : 'None',
    ],
  }))
  return (
    <Panel
      title="Changes"
      note={note}
      inset={false}
      foot="Auto-renewals are counted as of now. Customers who have already been told a price will pay that price."
    >
      <DataTable caption="Changes" columns={columns} rows={rows} empty="Nothing changes for customers." />
    </Panel>
  )
}

export function ProductName({ title, id }: { title: string; id: string | null }) {
  return (
    <>
      <span>{title}</span>
      {id && <span className={s.id}>{id}</span>}
    </>
  )
}

function ChangedFields({ fields }: Pick<DeskChange, 'fields'>) {
  if (fields.length === 0) return <span>–</span>
  return (
    <ul className={s.fields}>
      {fields.map(({ field, from, to }) => (
        <li key={field}>
          {field}: {from} → {to}
        </li>
      ))}
    </ul>
  )
}
