import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { RichText } from '#kit/web/widgets/RichText.tsx'
import { adviceQuery } from './advice.queries.ts'
import * as s from './PlanAdviceNote.module.css'

/**
 * Shows the plan advice for a service, or nothing while too little usage is known. `compare` is either the recommended
 * plan's URL in the list of plans, or a function that shows that plan. The component never selects a plan itself.
 */
export default function PlanAdviceNote({ uuid, compare }: { uuid: string; compare: string | (() => void) }) {
  const advice = useQuery(adviceQuery(useApi(), uuid)).data?.[uuid]
  if (!advice) return null
  return (
    <div className={s.advice}>
      <Icon name="good" />
      <p>
        <span key={advice.text}>
          <RichText text={advice.text} />
        </span>{' '}
        {advice.plan_id !== null &&
          (typeof compare === 'string' ? (
            <Link href={compare}>Compare plans</Link>
          ) : (
            <button type="button" onClick={compare}>
              Compare
            </button>
          ))}
      </p>
    </div>
  )
}
