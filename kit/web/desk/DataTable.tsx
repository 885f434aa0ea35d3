import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react'
import { Link } from '../Link.tsx'
import { useNavigate } from '../router/location.ts'
import { moveRowFocus, type RowMove } from './row-focus.ts'
import { useShortcuts } from './use-shortcuts.ts'
import * as s from './DataTable.module.css'

export type DataColumn = {
  title: string
  isName?: boolean
  isFigure?: boolean
  isShort?: boolean
  hasWholeWords?: boolean
  isAddress?: boolean
  isExtra?: boolean
}

export type DataRow = {
  key: string | number
  cells: readonly ReactNode[]
  href?: string
}

type Props = {
  caption: string
  columns: readonly DataColumn[]
  rows: readonly DataRow[]
  empty?: ReactNode
  more?: ReactNode
}

/**
 * A table with a sticky header. J and K move between rows from anywhere on the page. Within the rows, the arrow keys, Home and End move the
 * focus, and Enter opens a row. On a phone, each row is a card that repeats the column titles. Only one table per page may respond to J and
 * K; a table without links does not.
 */
export function DataTable({ caption, columns, rows, empty = 'No entries.', more }: Props) {
  const ref = useRef<HTMLTableElement>(null)
  const move = (by: RowMove) => moveRowFocus(ref.current, by)
  const isLinked = rows.some(({ href }) => href)
  useShortcuts(isLinked ? { j: () => move(1), k: () => move(-1) } : {})
  return (
    <div className={s.frame}>
      <table ref={ref} className={`${s.table} ${isLinked ? s.linked : ''}`}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={getColumnClass(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, ...row }) => (
            <Row key={key} columns={columns} row={row} onMove={move} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className={s.empty}>{empty}</p>}
      {more && <div className={s.more}>{more}</div>}
    </div>
  )
}

type RowProps = { columns: readonly DataColumn[]; row: Omit<DataRow, 'key'>; onMove: (by: RowMove) => void }

function Row({ columns, row: { cells, href }, onMove }: RowProps) {
  const navigate = useNavigate()
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = rowMovesByKey[event.key]
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey || isInField(event)) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <tr onClick={href ? (event) => isRowClick(event) && navigate(href) : undefined} onKeyDown={handleKeyDown}>
      {columns.map((column, index) => {
        const cell = cells[index]
        const parts = { className: getColumnClass(column), 'data-title': column.title }
        if (!column.isName)
          return (
            <td key={column.title} {...parts}>
              {cell}
            </td>
          )
        return (
          <th key={column.title} scope="row" {...parts}>
            {href ? (
              <Link href={href} className={s.link} data-row="">
                {cell}
              </Link>
            ) : (
              cell
            )}
          </th>
        )
      })}
    </tr>
  )
}

const getColumnClass = ({ isName, isFigure, isShort, isExtra, hasWholeWords, isAddress }: DataColumn): string =>
  [
    isName && s.name,
    isFigure && s.figure,
    isShort && s.short,
    isExtra && s.extra,
    hasWholeWords && s.words,
    isAddress && s.address,
  ]
    .filter(Boolean)
    .join(' ')

const rowMovesByKey: Record<string, RowMove> = { ArrowDown: 1, ArrowUp: -1, Home: 'first', End: 'last' }

const isInField = ({ target }: KeyboardEvent): boolean =>
  (target as Element).closest('input, select, textarea') !== null

/**
 * Whether a click on a row should follow its link. Controls in the row handle their own clicks, and the browser handles clicks with
 * modifier keys. If text has just been selected, the user probably wants to copy it.
 */
function isRowClick({ target, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const isSelectingText = window.getSelection()?.isCollapsed === false
  const isOnControl = (target as Element).closest('a, button, input, select, label, summary') !== null
  return !isSelectingText && !altKey && !ctrlKey && !metaKey && !shiftKey && !isOnControl
}
