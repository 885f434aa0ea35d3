import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { useRefreshCounters } from '#desk/features/counters/web/counters.queries.ts'
import type { Approval } from '../approvals.contract.ts'
import { approvalsQuery } from './approvals.queries.ts'
import { DecisionCard } from './DecisionCard.tsx'
import { OwnApproval } from './OwnApproval.tsx'
import * as s from './Decide.module.css'

type Props = { only?: Approval['kind']; onDecided?: () => void }

export function Approvals({ only, onDecided }: Props) {
  const { data, refetch } = useQuery(approvalsQuery(useApi()))
  const isShown = ({ kind }: Approval): boolean => only === undefined || kind === only
  const own = data?.own.filter(isShown) ?? []
  const [outcomeText, setOutcomeText] = useState<string | null>(null)
  const refreshCounters = useRefreshCounters()
  const handleChange = () => {
    void refetch()
    refreshCounters()
    onDecided?.()
  }
  const handleDecided = (message: string) => {
    setOutcomeText(message)
    handleChange()
  }
  return (
    <>
      <div role="status" className={s.own}>
        {outcomeText && <Banner kind="good">{outcomeText}</Banner>}
      </div>
      {own.length > 0 && (
        <div className={s.own}>
          {own.map((approval) => (
            <OwnApproval key={approval.id} approval={approval} onSeen={handleChange} />
          ))}
        </div>
      )}
      {data?.to_decide.filter(isShown).map((approval) => (
        <DecisionCard key={approval.id} approval={approval} onDecided={handleDecided} />
      ))}
    </>
  )
}
