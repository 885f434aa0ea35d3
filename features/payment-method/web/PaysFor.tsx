import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { numbersPerPage } from '#features/services/services.contract.ts'
import * as s from './payment-method.module.css'

/** For which numbers the card is charged next, when, and how much. Where that cannot be known the page does without. */
export function PaysFor() {
  // What is charged depends on the card, too, which may have just been changed.
  const services = useQuery({ ...servicesQuery(useApi()), staleTime: 5_000 }).data ?? {}
  const paid = Object.values(services).filter(({ outlook }) => outlook.card_charge)
  if (paid.length === 0) return null
  const others = paid.length - numbersPerPage
  return (
    <ul className={s.pays} aria-label="What your card pays for">
      {paid.slice(0, numbersPerPage).map(({ uuid, phone_number, outlook }) => (
        <li key={uuid}>
          Pays for <strong>{phone_number}</strong> {outlook.card_charge}.
        </li>
      ))}
      {others > 0 && (
        <li>
          It also pays for {others} other {others === 1 ? 'number' : 'numbers'}.
        </li>
      )}
    </ul>
  )
}
