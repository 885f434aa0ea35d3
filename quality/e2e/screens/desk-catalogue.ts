import { customerScreens } from './desk-customers.screens.ts'
import { dayScreens } from './desk-day.screens.ts'
import { messageScreens } from './desk-messages.screens.ts'
import { moneyScreens } from './desk-money.screens.ts'
import { orderScreens } from './desk-orders.screens.ts'
import { portScreens } from './desk-ports.screens.ts'
import { stockScreens } from './desk-stock.screens.ts'
import type { Screen } from './screen.ts'

/** Every screen of the desk, by area. Each area has its own test world. */
export const deskScreenCatalogue = {
  'desk-day': [...dayScreens, ...messageScreens],
  'desk-customers': [...customerScreens, ...orderScreens, ...portScreens, ...moneyScreens],
  'desk-stock': stockScreens,
} satisfies Record<string, readonly Screen[]>
