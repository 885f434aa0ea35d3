import type { MouseEvent, ReactNode } from 'react'
import { useNavigate } from '../router/location.ts'
import * as s from './Table.module.css'

export type Column = {
  title: ReactNode
  /** Names its row. */
  isName?: boolean
  /** Figures: on one line, to the right, so that they compare. */
  isFigure?: boolean
  /** On one line; any other column breaks where it must. */
  isShort?: boolean
  /** Left out where there is little room. */
  isExtra?: boolean
}

export type Row = {
  key: string | number
  /** One for each column. */
  cells: readonly ReactNode[]
  /** Where a press on the row leads. One of its cells holds a link there, for everybody who does not press. */
  href?: string
}

/** Rows of the same kind. `caption` names it to those who cannot see what it is about. On the narrowest screen it fits. */
export function Table({
  caption,
  columns,
  rows,
}: {
  caption: string
  columns: readonly Column[]
  rows: readonly Row[]
}) {
  const isLinked = rows.some(({ href }) => href)
  return (
    <table className={`${s.table} ${isLinked ? s.linked : ''}`}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={index} scope="col" className={lookOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, ...row }) => (
          <TableRow key={key} columns={columns} {...row} />
        ))}
      </tbody>
    </table>
  )
}

function TableRow({ columns, cells, href }: Omit<Row, 'key'> & { columns: readonly Column[] }) {
  const navigate = useNavigate()
  return (
    <tr onClick={href === undefined ? undefined : (event) => isMeantForRow(event) && navigate(href)}>
      {columns.map((column, index) => {
        const parts = { className: lookOf(column), children: cells[index] }
        return column.isName ? <th key={index} scope="row" {...parts} /> : <td key={index} {...parts} />
      })}
    </tr>
  )
}

const lookOf = ({ isFigure, isShort, isExtra }: Column): string =>
  [isFigure && s.figure, isShort && s.short, isExtra && s.extra].filter(Boolean).join(' ')

/**
 * The link sees to itself, the browser to keys that are held; and text that has just been marked, such as an order
 * number, is to be copied.
 */
function isMeantForRow({ target, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const isMarking = window.getSelection()?.isCollapsed === false
  return !isMarking && !altKey && !ctrlKey && !metaKey && !shiftKey && !(target as Element).closest('a')
}
