import { Link } from '#kit/web/Link.tsx'
import { RichText } from '#kit/web/widgets/RichText.tsx'
import type { UsageSummary } from '../usage.contract.ts'
import * as s from './Forecast.module.css'

type Props = NonNullable<UsageSummary['forecast']> & { uuid: string }

/** How long the data of the cycle lasts at its pace, and the way to more where it does not. */
export default function Forecast({ uuid, text, add_data }: Props) {
  return (
    <div className={s.forecast}>
      {/* Only here: drawn with the others every page would load it. */}
      <svg className={s.icon} viewBox="0 0 24 24" aria-hidden="true">
        <path d="m3 17 6-6 4 4 8-8M15 7h6v6" />
      </svg>
      <p>
        <span key={text}>
          <RichText text={text} />
        </span>
        {add_data && (
          <>
            {' '}
            <Link href={`/services/${uuid}/addons/`}>{add_data}</Link>
          </>
        )}
      </p>
    </div>
  )
}
