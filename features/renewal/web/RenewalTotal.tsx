import { plusDays } from '#kit/contract/days.ts'
import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { formatData, inAll } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { SummaryList } from '#kit/web/widgets/SummaryList.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { Elements } from '#kit/web/text-elements.tsx'
import type { Product } from '#features/plans/plans.contract.ts'
import { renewalMessages, type Starts } from '../renewal.contract.ts'
import type { RunningPlan } from './running-plan.ts'
import { dayInWords, lastDayInWords } from './start-words.ts'
import * as s from './start-choice.module.css'

type Props = {
  phoneNumber: string
  product: Product | undefined
  cents: number | null
  running: RunningPlan | null
  starts: Starts
  /** `false` keeps the total below the form on a small screen, because another choice comes first. */
  isDocked: boolean
  children: Elements
}

export function RenewalTotal({ product, running, starts, isDocked, children, ...bought }: Props) {
  const isNow = starts === 'now' || !running
  return (
    <aside aria-label="Summary" className={`${s.total} ${isDocked ? '' : s.below}`}>
      <h2 className={s.heading}>Summary</h2>
      {running && isNow && (
        <div className={s.notice}>
          <Banner kind="warn">{renewalMessages.notice}</Banner>
        </div>
      )}
      {product && <Sums product={product} begins={isNow ? null : running.endsOn} {...bought} />}
      {children}
    </aside>
  )
}

type SumsProps = Pick<Props, 'phoneNumber' | 'cents'> & {
  product: Product
  /** The day on which the plan starts; `null` for today. */
  begins: string | null
}

function Sums({ phoneNumber, product, cents, begins }: SumsProps) {
  const { market } = useBootstrap()
  const today = useToday()
  const { length, data_gb } = product
  const plan = `${data_gb > 0 ? `${formatData(data_gb)}, ` : ''}${length} days`
  const all = inAll(product)
  const gst = cents === null ? null : formatPrice(gstOf(cents, market.taxPart))
  return (
    <SummaryList
      rows={[
        ['Phone number', phoneNumber],
        ['Prepay Plan', all ? <TextWithNote key="plan" text={plan} note={all} /> : plan],
        [
          'Starts',
          begins ? <TextWithNote key="starts" text={dayInWords(begins)} note="when this plan ends" /> : 'Today',
        ],
        ['Last day', lastDayInWords(plusDays(begins ?? today, length))],
      ]}
      total={['Total due today', formatPrice(cents ?? 0)]}
      note={
        <>
          <span className={s.short}>
            {plan} from {begins ? dayInWords(begins) : 'today'}.{' '}
          </span>
          <span>{gst === null ? 'Paid with your voucher.' : `${market.currency}, including ${gst} GST`}</span>
        </>
      }
    />
  )
}

const TextWithNote = ({ text, note }: { text: string; note: string }) => (
  <>
    <span>{text}</span>
    <small>{note}</small>
  </>
)
