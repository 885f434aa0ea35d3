import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { maxSearchTextLength } from '#desk/features/search/search.contract.ts'
import type { AuditTrail } from '../audit.contract.ts'
import { auditPath, type AuditUrlFilter } from './audit.queries.ts'
import * as s from './team.module.css'

const uuidPattern = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

type Props = {
  wish: AuditUrlFilter
  acts: AuditTrail['acts']
  /** Whether this person may search for customers. Others can enter a customer's ID only. */
  canSearch: boolean
}

export function FilterForm({ wish, acts, canSearch }: Props) {
  const { of, person, act, customer, day, q } = wish
  const isFiltered = act ?? customer ?? day ?? q
  return (
    // The fields take their initial values from the URL, so the key recreates the form when the URL changes.
    <form key={auditPath(wish)} action="/audit/" method="get" className={s.narrow} aria-label="Filter the audit log">
      {of && <input type="hidden" name="of" value={of} />}
      {person && <input type="hidden" name="person" value={person} />}
      <label>
        <span>Activity</span>
        <select name="act" defaultValue={act ?? ''}>
          <option value="">All activity</option>
          {acts.map(({ code, text }) => (
            <option key={code} value={code}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {canSearch ? (
        <label>
          <span>Customer: name, email, number, order or ID</span>
          <input name="q" defaultValue={q ?? customer ?? ''} maxLength={maxSearchTextLength} autoComplete="off" />
        </label>
      ) : (
        <label>
          <span>Customer ID</span>
          <input
            name="customer"
            defaultValue={customer ?? ''}
            maxLength={36}
            pattern={uuidPattern}
            title="36 characters, from the address of the customer’s page"
            autoComplete="off"
          />
        </label>
      )}
      <label>
        <span>Day</span>
        <input type="date" name="day" defaultValue={day ?? ''} />
      </label>
      <DenseButton type="submit" icon="search">
        Filter
      </DenseButton>
      {isFiltered && (
        <DenseButton
          kind="word"
          href={auditPath({ ...wish, act: null, customer: null, day: null, q: null, before: null })}
        >
          Clear filter
        </DenseButton>
      )}
    </form>
  )
}
