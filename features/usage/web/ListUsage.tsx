import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import { usageMessages } from '../usage.contract.ts'
import { usageSummaryQuery } from './usage.queries.ts'
import { leftOf, mainOf } from './usage-words.ts'
import s from './usage.module.css'

/** What is left of a plan, for the list of services: a bar and a line, or a sentence in their room. */
export function ListUsage({ uuid }: { uuid: string }) {
  const { data, updates } = useQuery(usageSummaryQuery(useApi(), uuid))
  const main = mainOf(data?.plan.entitlements ?? [])
  const unavailable = data ? data.plan.entitlements === null : updates > 0
  return (
    <span className={s.entry}>
      {unavailable && <span className={s.note}>{usageMessages.dataUnavailable}</span>}
      {!unavailable && (main || !data) && (
        <>
          <Progress
            value={main?.remainingAllowance.amount ?? 0}
            max={main?.totalAllowance.amount ?? 1}
            label={`${main?.name ?? 'Data'} left`}
            valueText={main ? leftOf(main) : 'Loading'}
          />
          {/* The bar says it, and so the link that it is in. */}
          <span className={s.small} aria-hidden="true">
            {main ? leftOf(main) : <i className={s.waiting} />}
          </span>
        </>
      )}
    </span>
  )
}
