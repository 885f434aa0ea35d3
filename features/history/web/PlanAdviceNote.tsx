import type { ReactNode } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { adviceQuery } from './advice.queries.ts'
import s from './PlanAdviceNote.module.css'

/**
 * What the last cycles say of a service's plan; nothing while there is too little to go by. `compare`: what shows the plan that it speaks
 * of beside the others. It never chooses one.
 */
export function PlanAdviceNote({ uuid, compare }: { uuid: string; compare: ReactNode }) {
  const advice = useQuery(adviceQuery(useApi())).data?.[uuid]
  if (!advice) return null
  return (
    <p className={s.advice}>
      {advice.text.split('**').map((part, at) => (at % 2 === 1 ? <strong key={part}>{part}</strong> : part))}{' '}
      {advice.plan_id !== null && compare}
    </p>
  )
}
