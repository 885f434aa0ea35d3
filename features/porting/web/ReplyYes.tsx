import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ContactLine } from '#kit/web/chrome/ContactLine.tsx'
import { formatNational } from '#kit/contract/phone.ts'
import type { PortingProgress, PortingRequestView } from '#features/services/services.contract.ts'
import { ReplyTimer, timeIsUp } from './ReplyTimer.tsx'
import { timeOf } from './transfer-times.ts'
import { useMinutesLeft } from './use-minutes-left.ts'
import s from './transfer.module.css'

type Props = { port: PortingRequestView; progress: PortingProgress }

/** The one thing that only the customer can do: what the text on the old SIM looks like, the answer, and how long it counts. */
export function ReplyYes({ port, progress: { reply_by: end } }: Props) {
  return (
    <section aria-labelledby="reply" className={`${s.card} ${s.waiting}`}>
      {end ? <Counted end={end} /> : <Uncounted />}
      <TextDrawing donor={port.donor} />
      <NoText port={port} />
    </section>
  )
}

function Counted({ end }: { end: string }) {
  const { market, serverTime } = useBootstrap()
  const isUp = useMinutesLeft(end) === 0
  return (
    <div className={s.reply}>
      <div>
        <h2 id="reply">{isUp ? timeIsUp : 'Reply YES to the text'}</h2>
        <p>
          {isUp
            ? 'The network has not said yet whether your Yes was in time.'
            : `by ${timeOf(end, { zone: market.zone, now: serverTime })}, or the transfer is cancelled`}
        </p>
      </div>
      <ReplyTimer end={end} />
    </div>
  )
}

/** Since when it has been waited for is not known. */
const Uncounted = () => (
  <div className={s.reply}>
    <div>
      <h2 id="reply">Reply YES to the text</h2>
      <p>within 2 hours of it, or the transfer is cancelled</p>
    </div>
  </div>
)

function TextDrawing({ donor }: { donor: string }) {
  const { market } = useBootstrap()
  return (
    <div className={s.phone}>
      <p>
        Text from <b>{market.code === 'NZ' ? '2542' : 'a short number'}</b>, on your old {donor} SIM
      </p>
      <p className={s.theirs}>ACTION REQUIRED: We have received a request to move your mobile…</p>
      <p className={s.yours}>
        <span className="visually-hidden">Your answer: </span>YES
      </p>
    </div>
  )
}

function NoText({ port: { msisdn, donor } }: { port: PortingRequestView }) {
  const { brand } = useBootstrap()
  return (
    <details className={s.noText}>
      <summary>I didn’t get a text</summary>
      <ul>
        <li>Is your old {donor} SIM in a phone that is on and has signal?</li>
        <li>Are texts from short or premium numbers blocked on it? {donor} can let them through.</li>
        <li>
          Is <span className={s.whole}>{formatNational(msisdn)}</span> the right number?
        </li>
      </ul>
      <p>None of these?</p>
      <ContactLine help={brand.help} />
    </details>
  )
}
