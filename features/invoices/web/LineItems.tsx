import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { type Invoice, itemNote, itemTitle } from '../invoices.contract.ts'
import * as s from './invoice.module.css'

/*
 * On a narrow screen each item becomes a block, and each cell shows its column title. The ARIA table roles are explicit,
 * because Safari drops the implicit roles when CSS does not display the element as a table.
 */
// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role
const columnTitles = ['Description', 'Quantity', 'Unit price', 'Subtotal'] as const

export function LineItems({ items }: { items: Invoice['line_items'] }) {
  return (
    <table className={s.items} role="table">
      <caption className="visually-hidden">Items</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columnTitles.map((column) => (
            <th key={column} scope="col" role="columnheader">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item, index) => (
          <tr key={index} role="row">
            <th scope="row" role="rowheader">
              {itemTitle(item)}
              {itemNote(item) && <small> {itemNote(item)}</small>}
            </th>
            <td role="cell" data-label={columnTitles[1]}>
              {item.quantity}
            </td>
            <td role="cell" data-label={columnTitles[2]}>
              {formatPrice(decimalToCents(item.unit_price))}
            </td>
            <td role="cell" data-label={columnTitles[3]}>
              {formatPrice(decimalToCents(item.subtotal))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
