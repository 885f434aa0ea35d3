import { formatNational } from '#kit/contract/phone.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import s from './port.module.css'

/** Above the form that was sent: which number, why as far as we know, and what works in the meantime. */
export function DidNotMove({ port, own }: { port: PortingRequestView; own: string }) {
  return (
    <Banner
      kind="bad"
      title={
        <>
          <span className={s.whole}>{formatNational(port.msisdn)}</span> didn’t move
        </>
      }
    >
      {port.reason_text && <p>{port.reason_text}</p>}
      <p>
        {whatNow[port.reason ?? 'unknown']} <span className={s.whole}>{own}</span> works on your SIM in the meantime.
      </p>
    </Banner>
  )
}

const whatNow = {
  sim_number: 'Please mend the field below and send your request again; the rest is as you sent it.',
  account_number: 'Please mend the field below and send your request again; the rest is as you sent it.',
  no_reply: 'Keep your old SIM in your phone, send your request again, and reply ‘Yes’ to the text.',
  said_no: 'If you still want to bring it, send your request again and reply ‘Yes’ to the text.',
  cancelled: 'If you still want to bring it, send your request again.',
  unknown: 'Please check what you sent, and send it again.',
} as const
