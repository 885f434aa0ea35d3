import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import * as s from './port.module.css'

export function TransferFailure({ port, own }: { port: PortingRequestView; own: string }) {
  const { market } = useBootstrap()
  return (
    <div className={s.why}>
      <Banner kind="bad" title={port.reason_text || genericFailureText}>
        <p>
          {nextSteps(replyActions[market.code])[port.reason ?? 'unknown']} <span className={s.whole}>{own}</span> works
          on your SIM in the meantime.
        </p>
      </Banner>
    </div>
  )
}

/** Spec 8. */
const genericFailureText =
  'Sorry, your request to Transfer (Port) your Existing Phone Number to the provider has failed. Please try again or ' +
  'check the FAQ for instructions on what to do next.'

const replyActions = { NZ: 'reply ‘Yes’ to the text', AU: 'enter the code from the text' }

const nextSteps = (replyAction: string) => ({
  sim_number:
    'Check the number printed on your old SIM, or the ICCID of your old eSIM, and send your request again. ' +
    'We’ve kept your other details.',
  account_number: 'Check the account number on your bill, and send your request again. We’ve kept your other details.',
  no_reply: `Keep your old SIM in your phone, send your request again, and ${replyAction}.`,
  said_no: `If you still want to bring your number, send your request again and ${replyAction}.`,
  cancelled: 'If you still want to bring your number, send your request again.',
  unknown: 'Please check your details and send your request again.',
})
