import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { useWaitsChanged } from '#desk/features/waits/web/me.waits.ts'
import type { Approval } from '../approvals.contract.ts'
import { approvalsQuery } from './approvals.queries.ts'
import { Decide } from './Decide.tsx'
import { OwnApproval } from './OwnApproval.tsx'
import * as s from './Decide.module.css'

type Props = { only?: Approval['kind']; onDecided?: () => void }

export function Approvals({ only, onDecided }: Props) {
  const { data, refetch } = useQuery(approvalsQuery(useApi()))
  const isShown = ({ kind }: Approval): boolean => only === undefined || kind === only
  const own = data?.own.filter(isShown) ?? []
  const [said, say] = useState<string | null>(null)
  const countAnew = useWaitsChanged()
  const changed = () => {
    void refetch()
    countAnew()
    onDecided?.()
  }
  const decided = (words: string) => {
    say(words)
    changed()
  }
  return (
    <>
      <div role="status" className={s.own}>
        {said && <Banner kind="good">{said}</Banner>}
      </div>
      {own.length > 0 && (
        <div className={s.own}>
          {own.map((approval) => (
            <OwnApproval key={approval.id} approval={approval} onSeen={changed} />
          ))}
        </div>
      )}
      {data?.to_decide.filter(isShown).map((approval) => (
        <Decide key={approval.id} approval={approval} onDecided={decided} />
      ))}
    </>
  )
}
