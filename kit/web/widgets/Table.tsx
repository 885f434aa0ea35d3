import type { MouseEvent, ReactNode } from 'react'
import { useNavigate } from '../router/location.ts'
import * as s from './Table.module.css'

export type Column = {
  title: ReactNode
  isName?: boolean
  isFigure?: boolean
  isShort?: boolean
  isExtra?: boolean
}

export type Row = {
  key: string | number
  cells: readonly ReactNode[]
  /** The address that a click on the row opens. One of the row's cells must contain the same link, for keyboard and screen reader users. */
  href?: string
}

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
            <th key={index} scope="col" className={getColumnClass(column)}>
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
    <tr onClick={href === undefined ? undefined : (event) => isRowClick(event) && navigate(href)}>
      {columns.map((column, index) => {
        const parts = { className: getColumnClass(column), children: cells[index] }
        return column.isName ? <th key={index} scope="row" {...parts} /> : <td key={index} {...parts} />
      })}
    </tr>
  )
}

const getColumnClass = ({ isFigure, isShort, isExtra }: Column): string =>
  [isFigure && s.figure, isShort && s.short, isExtra && s.extra].filter(Boolean).join(' ')

/**
 * Whether a click on a row should follow its link. Links handle their own clicks, and the browser handles clicks with modifier keys. If
 * text has just been selected, such as an order number, the user probably wants to copy it.
 */
function isRowClick({ target, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const isSelectingText = window.getSelection()?.isCollapsed === false
  return !isSelectingText && !altKey && !ctrlKey && !metaKey && !shiftKey && !(target as Element).closest('a')
}
