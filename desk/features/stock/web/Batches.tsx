import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import type { Batch } from '../batches.contract.ts'
import { batchLabel, formatLastValidDay } from './batch.labels.ts'
import { formatCount } from './count.labels.ts'

const columns = [
  { title: 'Batch', isName: true, isShort: true },
  { title: 'Plan' },
  { title: 'State', isShort: true },
  { title: 'Made and approved by', isExtra: true },
  { title: 'Valid until', isShort: true },
  { title: 'Unused', isFigure: true },
  { title: 'Total', isFigure: true },
]

export function Batches({ batches }: { batches: Batch[] }) {
  const rows = batches.map((batch) => {
    const { text, tone } = batchLabel(batch)
    return {
      key: batch.id,
      href: `/stock/batches/${batch.id}/`,
      cells: [
        batch.id,
        batch.plan,
        <TonePill key="state" tone={tone}>
          {text}
        </TonePill>,
        [batch.made_by, batch.approved_by].filter(Boolean).join(', '),
        formatLastValidDay(batch),
        formatCount(batch.unused),
        formatCount(batch.count),
      ],
    }
  })
  return (
    <Panel
      title="Vouchers by batch"
      note="newest first"
      inset={false}
      foot="The codes are only in the file that the requester downloads once. We can’t show them again."
    >
      <DataTable caption="Batches" columns={columns} rows={rows} empty="No vouchers have been made yet." />
    </Panel>
  )
}
