import { buyingScreens } from './buying.screens.ts'
import { checkScreens } from './check-screens.ts'

checkScreens('buying', buyingScreens)
