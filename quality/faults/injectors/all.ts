import type { Injector } from '../injector.ts'
import { skew, step } from './clocks.ts'
import { connectionLimit } from './connection-limit.ts'
import { diskFull } from './disk-full.ts'
import { failover } from './failover.ts'
import { endlessAnswers } from './endless-answers.ts'
import { freeze } from './freeze.ts'
import { garbledAnswers } from './garbled-answers.ts'
import { hugeAnswers } from './huge-answers.ts'
import { kill } from './kill.ts'
import { lockHolder } from './locks.ts'
import { networkEvents, notifications } from './notifications.ts'
import { overload } from './overload.ts'
import { errorsOnly, gatewayFaults, hangUps, lostAnswers, messageFaults, networkFaults, slowness } from './providers.ts'
import { pipelining } from './pipelining.ts'
import { relayOutage } from './relay-outage.ts'
import { restart } from './restart.ts'
import { secondProduct } from './second-product.ts'
import { terminate } from './terminate.ts'
import { vanish } from './vanish.ts'
import { wrongAnswers } from './wrong-answers.ts'

export const injectors: readonly Injector[] = [
  kill,
  freeze,
  gatewayFaults,
  networkFaults,
  messageFaults,
  errorsOnly,
  lostAnswers,
  hangUps,
  slowness,
  garbledAnswers,
  endlessAnswers,
  hugeAnswers,
  wrongAnswers,
  relayOutage,
  secondProduct,
  pipelining,
  notifications,
  networkEvents,
  overload,
  terminate,
  restart,
  connectionLimit,
  lockHolder,
  failover,
  vanish,
  diskFull,
  skew,
  step,
]
