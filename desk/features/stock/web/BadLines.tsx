import type { ReactNode } from 'react'
import { buildPath } from '#kit/contract/endpoint.ts'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { downloadBadLines, type SimLoadPage, type MarkedField } from '../sim-loads.contract.ts'
import { formatCount } from './count.labels.ts'
import type { BadLinesFilter } from './stock.queries.ts'
import * as s from './stock.module.css'

const columns = [
  { title: 'Line', isName: true, isFigure: true },
  { title: 'ICCID' },
  { title: 'Number' },
  { title: 'Problem' },
]

type Props = SimLoadPage & { place: BadLinesFilter }

export function BadLines({ load, kinds, bad, next, place }: Props) {
  const navigate = useNavigate()
  const buildFilterPath = (query: Record<string, string>) => `/stock/loads/${load.id}/?${new URLSearchParams(query)}`
  const chips = [
    { value: '', text: 'All', count: kinds.reduce((sum, { lines }) => sum + lines, 0) },
    ...kinds.map(({ kind, title, lines }) => ({ value: kind, text: title, count: lines })),
  ]
  const rows = bad.map(({ line, iccid, number, why }) => ({
    key: line,
    cells: [
      formatCount(line),
      <MarkedText key="iccid" typed={iccid} />,
      <MarkedText key="number" typed={number} />,
      why,
    ],
  }))
  return (
    <Panel
      title="Bad lines"
      inset={false}
      action={
        <a className={s.download} href={buildPath(downloadBadLines, { id: load.id })} download>
          <DeskIcon name="download" /> Download bad lines
        </a>
      }
    >
      <div className={s.chips}>
        <ChipRow
          label="Filter bad lines"
          chips={chips}
          value={place.kind}
          onChange={(kind) => navigate(buildFilterPath(kind ? { kind } : {}))}
        />
      </div>
      <DataTable
        caption="Bad lines"
        columns={columns}
        rows={rows}
        empty="No bad lines of this kind."
        more={
          (next || place.after) && (
            <>
              {place.after && (
                <DenseButton small href={buildFilterPath(place.kind ? { kind: place.kind } : {})}>
                  First
                </DenseButton>
              )}{' '}
              {next && (
                <DenseButton small href={buildFilterPath({ ...(place.kind && { kind: place.kind }), after: next })}>
                  Next
                </DenseButton>
              )}
            </>
          )
        }
      />
    </Panel>
  )
}

function MarkedText({ typed }: { typed: MarkedField }): ReactNode {
  if (!typed) return <span className="muted">not stored</span>
  const { text, mark } = typed
  if (!mark)
    return (
      <code key="whole" className={s.digits}>
        {text}
      </code>
    )
  return (
    <code className={s.digits}>
      {text.slice(0, mark.start)}
      <mark>{text.slice(mark.start, mark.start + mark.length)}</mark>
      {text.slice(mark.start + mark.length)}
    </code>
  )
}
