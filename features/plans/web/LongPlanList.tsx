import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { createWordFilter } from '#kit/contract/match-words.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import * as fields from '#kit/web/form/fields.module.css'
import type { Product } from '../plans.contract.ts'
import * as s from './PlanChooser.module.css'

type Props = {
  plans: readonly Product[]
  pageSize: number
  children: (shown: readonly Product[]) => ReactNode
}

/** A search field above a list of plans, of which only the first ones are shown. */
export function LongPlanList({ plans, pageSize, children }: Props) {
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(pageSize)
  const isWanted = createWordFilter(query)
  const foundPlans = plans.filter((plan) => isWanted(searchTextOf(plan)))

  function search(text: string) {
    setQuery(text)
    setLimit(pageSize)
  }

  return (
    <>
      <SearchField value={query} onChange={search} />
      <p role="status">
        {foundPlans.length > 0
          ? `${foundPlans.length} of ${plans.length} plans`
          : 'No plans match your search. Try an amount of data, a price or a name.'}
      </p>
      <div className={s.plans}>{children(foundPlans.slice(0, limit))}</div>
      {foundPlans.length > limit && (
        <button type="button" className={s.all} onClick={() => setLimit(limit + pageSize)}>
          Show more plans
        </button>
      )}
    </>
  )
}

const searchTextOf = ({ title, data_gb, length, price }: Product): string =>
  `${title} ${formatDataAmount(data_gb)} ${length} days ${price}`

function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const id = useId()
  // Enter would submit the form around the list.
  const ignoreEnter = (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault()
  return (
    <div className={`${fields.field} ${s.plans}`}>
      <label htmlFor={id} className={fields.label}>
        Search plans
      </label>
      <input
        id={id}
        type="search"
        className={fields.input}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={ignoreEnter}
      />
    </div>
  )
}
