import { buyingScreens } from './buying.screens.ts'
import { showAll } from './show.ts'

showAll('buying', buyingScreens)
