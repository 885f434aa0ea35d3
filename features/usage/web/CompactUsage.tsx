import type { ReactNode } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { RadialGauge } from '#kit/web/widgets/RadialGauge.tsx'
import { usageMessages } from '../usage.contract.ts'
import { usageSummaryQuery } from './usage.queries.ts'
import { isDataUsedUp, getRemainingLabel, findMainEntitlement } from './usage.labels.ts'
import * as s from './usage.module.css'

type Props = {
  uuid: string
  line: string
  children: ReactNode
}

export function CompactUsage({ uuid, line, children }: Props) {
  const { data, updates } = useQuery(usageSummaryQuery(useApi(), uuid))
  const mainEntitlement = findMainEntitlement(data?.plan.entitlements ?? [])
  const isUnavailable = data ? data.plan.entitlements === null : updates > 0
  const hasGauge = !isUnavailable && (mainEntitlement !== undefined || !data)
  return (
    <>
      <span className={s.listed}>
        {hasGauge && (
          <span className={s.fan}>
            <RadialGauge
              feathers={6}
              value={mainEntitlement?.remainingAllowance.amount ?? 0}
              max={mainEntitlement?.totalAllowance.amount ?? 0}
              label={`${mainEntitlement?.name ?? 'Data'} left`}
              valueText={mainEntitlement ? getRemainingLabel(mainEntitlement) : 'Loading'}
            />
          </span>
        )}
        <span>{children}</span>
      </span>
      <span className={s.foot}>
        {isUnavailable && <span>{usageMessages.dataUnavailable}</span>}
        {hasGauge && (
          // This text is hidden from screen readers, because the gauge has the same label.
          <span className={s.small} aria-hidden="true">
            {mainEntitlement ? getRemainingLabel(mainEntitlement) : <i className={s.waiting} />}
          </span>
        )}
        <span>{line}</span>
      </span>
    </>
  )
}

export function useIsDataUsedUp(uuid: string, enabled: boolean): boolean {
  const { data } = useQuery({ ...usageSummaryQuery(useApi(), uuid), enabled })
  return data !== undefined && isDataUsedUp(data)
}
