import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { Load } from '../sim-loads.contract.ts'
import { formatCount } from './count.labels.ts'
import { simLoadLabel, simLoadName } from './sim-load.labels.ts'

const columns = [
  { title: 'File', isName: true },
  { title: 'State', isShort: true },
  { title: 'By', isShort: true, isExtra: true },
  { title: 'Sent', isShort: true },
  { title: 'Loaded', isFigure: true },
  { title: 'Left', isFigure: true },
  { title: 'Bad', isFigure: true, isExtra: true },
]

export function Loads({ loads, areLinked }: { loads: Load[]; areLinked: boolean }) {
  const { zone } = useBootstrap().market
  const rows = loads.map((load) => {
    const { text, tone } = simLoadLabel(load)
    return {
      key: load.id,
      ...(areLinked && { href: `/stock/loads/${load.id}/` }),
      cells: [
        simLoadName(load),
        <TonePill key="state" tone={tone}>
          {text}
        </TonePill>,
        load.by,
        formatDayAndTime(load.created, zone),
        formatCount(load.loaded),
        formatCount(load.left),
        formatCount(load.bad),
      ],
    }
  })
  return (
    <Panel title="SIM packs by load" note="newest first" inset={false}>
      <DataTable caption="Loads" columns={columns} rows={rows} empty="No file has been loaded yet." />
    </Panel>
  )
}
