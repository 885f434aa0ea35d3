import { formatNational } from '#kit/contract/phone.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ContactLine } from '#kit/web/chrome/ContactLine.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import type { PortingProgress, PortingRequestView } from '#features/services/services.contract.ts'
import { ReplyTimer, timeUpMessage } from './ReplyTimer.tsx'
import { replyLabels } from './reply.labels.ts'
import { formatTimeOnly } from './transfer-times.ts'
import { useMinutesLeft } from './use-minutes-left.ts'
import * as s from './transfer.module.css'

type Props = { port: PortingRequestView; progress: PortingProgress; children: TextFreeNode }

export function ReplyPrompt({ port, progress: { reply_by: deadline }, children }: Props) {
  return (
    <section aria-labelledby="reply" className={`${s.card} ${s.waiting}`}>
      {deadline ? <ReplyCountdown end={deadline} /> : <ReplyWithoutCountdown />}
      {children}
      <MissingTextHelp port={port} />
    </section>
  )
}

function ReplyCountdown({ end }: { end: string }) {
  const { market, serverTime } = useBootstrap()
  const replyTexts = replyLabels[market.code]
  const isTimeUp = useMinutesLeft(end) === 0
  return (
    <div className={s.reply}>
      <div>
        <h2 id="reply">{isTimeUp ? timeUpMessage : replyTexts.title}</h2>
        <p>
          {isTimeUp
            ? replyTexts.late
            : `by ${formatTimeOnly(end, { zone: market.zone, now: serverTime })}, or the transfer will be cancelled`}
        </p>
      </div>
      <ReplyTimer end={end} />
    </div>
  )
}

function ReplyWithoutCountdown() {
  const { market } = useBootstrap()
  return (
    <div className={s.reply}>
      <div>
        <h2 id="reply">{replyLabels[market.code].title}</h2>
        <p>within 2 hours of getting it, or the transfer will be cancelled</p>
      </div>
    </div>
  )
}

function MissingTextHelp({ port: { msisdn, donor } }: { port: PortingRequestView }) {
  const { brand } = useBootstrap()
  return (
    <details className={s.noText}>
      <summary>I didn’t get a text</summary>
      <ul>
        <li>Is your old {donor} SIM in a phone that’s turned on and has signal?</li>
        <li>Are texts from short or premium numbers blocked on it? {donor} can unblock them.</li>
        <li>
          Is <span className={s.whole}>{formatNational(msisdn)}</span> the right number?
        </li>
      </ul>
      <p>Still no text?</p>
      <ContactLine help={brand.help} />
    </details>
  )
}
