import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { useWaitsChanged } from '#desk/features/waits/web/me.waits.ts'
import { approvalsQuery } from './approvals.queries.ts'
import { Decide } from './Decide.tsx'
import { OwnApproval } from './OwnApproval.tsx'
import s from './Decide.module.css'

/** What waits for this person's decision, and what came of what they asked for. */
export function Approvals() {
  const { data, refetch } = useQuery(approvalsQuery(useApi()))
  const [said, say] = useState<string | null>(null)
  const countAnew = useWaitsChanged()
  const changed = () => {
    void refetch()
    countAnew()
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
      {data && data.own.length > 0 && (
        <div className={s.own}>
          {data.own.map((approval) => (
            <OwnApproval key={approval.id} approval={approval} onSeen={changed} />
          ))}
        </div>
      )}
      {data?.to_decide.map((approval) => (
        <Decide key={approval.id} approval={approval} onDecided={decided} />
      ))}
    </>
  )
}
