import { Link } from '#kit/web/Link.tsx'
import { RichText } from '#kit/web/widgets/RichText.tsx'
import type { UsageSummary } from '../usage.contract.ts'
import * as s from './Forecast.module.css'

type Props = NonNullable<UsageSummary['forecast']> & { uuid: string }

export default function Forecast({ uuid, text, add_data }: Props) {
  return (
    <div className={s.forecast}>
      {/* Inlined, because every page loads the icon set. */}
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
