export const DataScreen = () => <h1>data</h1>
