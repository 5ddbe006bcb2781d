"""Publishers: the state as MQTT messages."""
