import type { Injector } from '../injector.ts'
import { skew, step } from './clocks.ts'
import { connectionLimit } from './connection-limit.ts'
import { diskFull } from './disk-full.ts'
import { failover } from './failover.ts'
import { freeze } from './freeze.ts'
import { kill } from './kill.ts'
import { lockHolder } from './locks.ts'
import { networkEvents, notifications } from './notifications.ts'
import { overload } from './overload.ts'
import { errorsOnly, gatewayFaults, hangUps, lostAnswers, messageFaults, networkFaults, slowness } from './providers.ts'
import { restart } from './restart.ts'
import { terminate } from './terminate.ts'
import { vanish } from './vanish.ts'

/** Every way for things to go wrong, by name. */
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
