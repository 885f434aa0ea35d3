import type { PortingProgress, PortingRequestView } from '#features/services/services.contract.ts'
import { ReplyPrompt } from './ReplyPrompt.tsx'
import * as s from './transfer.module.css'

type Props = { port: PortingRequestView; progress: PortingProgress }

export default function ReplyExample({ port, progress }: Props) {
  return (
    <ReplyPrompt port={port} progress={progress}>
      <div className={s.phone}>
        <p>
          Text from <b>2542</b>, on your old {port.donor} SIM
        </p>
        <p className={s.theirs}>ACTION REQUIRED: We have received a request to move your mobile…</p>
        <p className={s.yours}>
          <span className="visually-hidden">Your answer: </span>YES
        </p>
      </div>
    </ReplyPrompt>
  )
}
